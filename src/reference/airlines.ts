export interface Airline {
  /** The three-letter code of an airline, with which its callsigns begin. */
  readonly icao: string;
  /** The two-character code of an airline, with which its flight numbers begin. */
  readonly iata: string;
  readonly name: string;
}

export const airlines: ReadonlyMap<string, Airline> = new Map(
  `AAL AA American Airlines,AAR OZ Asiana Airlines,ABX GB ABX Air,ABY G9 Air Arabia,ACA AC Air Canada,AEA UX Air Europa,
AEE A3 Aegean Airlines,AFL SU Aeroflot,AFR AF Air France,AIC AI Air India,AMX AM Aeromexico,ANA NH All Nippon Airways,
ANZ NZ Air New Zealand,ARG AR Aerolineas Argentinas,ASA AS Alaska Airlines,ASL JU Air Serbia,AUA OS Austrian Airlines,
AUI PS Ukraine International Airlines,AVA AV Avianca,AXM AK AirAsia,AZU AD Azul,BAW BA British Airways,BCS QY European Air Transport,
BEL SN Brussels Airlines,BOX 3S AeroLogic,BTI BT airBaltic,BWA BW Caribbean Airlines,CAL CI China Airlines,CCA CA Air China,
CEB 5J Cebu Pacific,CES MU China Eastern Airlines,CFG DE Condor,CHH HU Hainan Airlines,CKS K4 Kalitta Air,CLX CV Cargolux,
CMP CM Copa Airlines,CPA CX Cathay Pacific,CRL SS Corsair,CSC 3U Sichuan Airlines,CSH FM Shanghai Airlines,CSN CZ China Southern Airlines,
CTN OU Croatia Airlines,CXA MF Xiamen Airlines,DAH AH Air Algerie,DAL DL Delta Air Lines,DHK D0 DHL Air UK,DLH LH Lufthansa,
EDV 9E Endeavor Air,EIN EI Aer Lingus,EJU EC easyJet Europe,ELY LY El Al,ENY MQ Envoy Air,ETD EY Etihad Airways,
ETH ET Ethiopian Airlines,EVA BR EVA Air,EWG EW Eurowings,EXS LS Jet2,EZS DS easyJet Switzerland,EZY U2 easyJet,
FDB FZ flydubai,FDX FX FedEx Express,FFT F9 Frontier Airlines,FIN AY Finnair,FJI FJ Fiji Airways,GEC LH Lufthansa Cargo,
GFA GF Gulf Air,GIA GA Garuda Indonesia,GLO G3 Gol,GTI 5Y Atlas Air,HAL HA Hawaiian Airlines,HVN VN Vietnam Airlines,
IBE IB Iberia,IBS I2 Iberia Express,ICE FI Icelandair,IGO 6E IndiGo,IRA IR Iran Air,IRM W5 Mahan Air,ITY AZ ITA Airways,
JAL JL Japan Airlines,JBU B6 JetBlue,JIA OH PSA Airlines,JJA 7C Jeju Air,JST JQ Jetstar,JZR J9 Jazeera Airways,
KAC KU Kuwait Airways,KAL KE Korean Air,KLM KL KLM,KQA KQ Kenya Airways,KZR KC Air Astana,LAN LA LATAM Airlines,
LGL LG Luxair,LOT LO LOT Polish Airlines,MAS MH Malaysia Airlines,MEA ME Middle East Airlines,MPH MP Martinair,MSR MS EgyptAir,
NAX DY Norwegian Air Shuttle,NCA KZ Nippon Cargo Airlines,NKS NK Spirit Airlines,NOZ DY Norwegian Air Shuttle,OMA WY Oman Air,
PAC PO Polar Air Cargo,PAL PR Philippine Airlines,PDT PT Piedmont Airlines,PGT PC Pegasus Airlines,PIA PK Pakistan International Airlines,
QFA QF Qantas,QTR QR Qatar Airways,RAM AT Royal Air Maroc,RJA RJ Royal Jordanian,ROT RO TAROM,ROU RV Air Canada Rouge,
RPA YX Republic Airways,RWD WB RwandAir,RXA ZL Rex Airlines,RYR FR Ryanair,SAA SA South African Airways,SAS SK SAS,
SBI S7 S7 Airlines,SIA SQ Singapore Airlines,SKW OO SkyWest Airlines,SVA SV Saudia,SWA WN Southwest Airlines,SWR LX Swiss,
SXS XQ SunExpress,TAM JJ LATAM Brasil,TAP TP TAP Air Portugal,TAR TU Tunisair,TAY 3V ASL Airlines Belgium,TGW TR Scoot,
THA TG Thai Airways,THY TK Turkish Airlines,TOM BY TUI Airways,TRA HV Transavia,TSC TS Air Transat,TVF TO Transavia France,
TVS QS Smartwings,TWB TW T'way Air,UAE EK Emirates,UAL UA United Airlines,UPS 5X UPS Airlines,UZB HY Uzbekistan Airways,
VIR VS Virgin Atlantic,VJC VJ VietJet Air,VLG VY Vueling,VOE V7 Volotea,VOI Y4 Volaris,VOZ VA Virgin Australia,
WJA WS WestJet,WMT W4 Wizz Air Malta,WUK W9 Wizz Air UK,WZZ W6 Wizz Air`
    .split(/,\s*/)
    .map((line) => {
      const [icao = "", iata = "", ...name] = line.split(" ");
      return [icao, { icao, iata, name: name.join(" ") }];
    }),
);
